// The pages of data: declaring a collection, writing records, finding them, and two editors of one record.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBrowser, withoutBrowser } from './browser.ts';
import { asMember, type DashboardScenario, dashboardScenario, loseAnswers } from './dashboard-scenario.ts';

describe.skipIf(withoutBrowser)(inBrowser('the data of an app'), () => {
  let scenario: DashboardScenario;
  let page: Page;
  beforeAll(async () => {
    scenario = await dashboardScenario();
    page = await scenario.open(scenario.team.owner, scenario.appPath('/data'));
  });
  afterAll(() => scenario.stop());

  const backend = (method: string, path: string, body?: unknown) =>
    asMember(scenario.service, scenario.team.owner)(method, path, body);

  async function setEditor(text: string) {
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(text);
  }

  test('a collection is created with an index, and its access changed', async () => {
    await page.getByRole('button', { name: 'Create collection' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('notes');
    await dialog.getByRole('combobox', { name: 'Access from your app' }).selectOption('Own records');
    await dialog.getByLabel('Indexed fields').first().fill('created');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Create collection' }).click();
    await page.getByRole('heading', { name: 'notes' }).waitFor();
    const declared = await backend('GET', '/admin/collections/notes');
    expect(declared.data).toMatchObject({ access_mode: 'owner', indexed_fields: ['created'] });
  });

  test('a change of the index does not take back the access that others have changed meanwhile', async () => {
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Access and indexes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('created').waitFor();
    await backend('PATCH', '/admin/collections/notes', { access_mode: 'admin' });
    await dialog.getByLabel('Indexed fields').first().fill('title');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const declared = await backend('GET', '/admin/collections/notes');
    expect(declared.data).toMatchObject({ access_mode: 'admin', indexed_fields: ['created', 'title'] });
  });

  test('neither a click beside the dialog nor the end of a search in the editor closes it', async () => {
    await page.getByRole('button', { name: 'Create record' }).click();
    const dialog = page.getByRole('dialog');
    await setEditor('{"title": "typed"}');
    await page.keyboard.press('Control+f');
    await dialog.locator('.cm-search').waitFor();
    await page.keyboard.press('Escape');
    await dialog.locator('.cm-search').waitFor({ state: 'hidden' });
    await page.mouse.click(10, 400);
    expect(await dialog.getByText('typed').count()).toBe(1);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
  });

  test('a record is created, found by a query in the address, and deleted without losing the query', async () => {
    await page.getByRole('button', { name: 'Create record' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Id' }).fill('first');
    await setEditor('{"title": "Groceries", "count": 5}');
    await dialog.getByRole('button', { name: 'Create record' }).click();
    await page.getByRole('link', { name: 'first', exact: true }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Create record' }).click();
    await dialog.getByRole('textbox', { name: 'Id' }).fill('first');
    await dialog.getByRole('button', { name: 'Create record' }).click();
    await dialog.getByText('A record with this id exists.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await backend('PUT', '/data/notes/second', { fields: { title: 'Other', count: '5' } });
    await page.reload();
    await expect
      .poll(() => page.getByRole('columnheader').allInnerTexts())
      .toEqual(['Record', 'created', 'title', 'count', 'Owner', 'Changed']);
    await expect
      .poll(() => page.locator('tbody tr').allInnerTexts())
      .toEqual([expect.stringMatching(/^second.*Other/s), expect.stringMatching(/^first.*Groceries/s)]);

    const sorted = async (by: string, rows: RegExp[], direction: string) => {
      await page.getByRole('columnheader', { name: by }).getByRole('button').click();
      await page.locator(`th[aria-sort="${direction}"]`).getByText(by).waitFor();
      const expected = rows.map((row) => expect.stringMatching(row));
      await expect.poll(() => page.locator('tbody tr').allInnerTexts()).toEqual(expected);
    };
    await sorted('title', [/^first/, /^second/], 'ascending');
    await page.getByText('Without records that have no title.').waitFor();
    await sorted('title', [/^second/, /^first/], 'descending');
    await page.getByRole('button', { name: 'Remove order 1' }).click();
    await page.getByRole('button', { name: 'Run query' }).click();
    await page.getByText(/^Newest first/).waitFor();

    await page.getByRole('button', { name: 'Condition' }).click();
    const field = page.getByRole('combobox', { name: 'Field' });
    const offered = page.locator(`[id="${await field.getAttribute('list')}"] option`);
    expect(await offered.evaluateAll((options) => options.map((each) => each.getAttribute('value')))).toEqual(
      ['created', 'title', 'count', '$id', '$owner_uid', '$created_at', '$updated_at'],
    );
    await field.fill('count');
    await page.getByRole('textbox', { name: 'Value' }).fill('5');
    await page.getByRole('button', { name: 'Run query' }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.reload();
    await page.getByRole('link', { name: 'first', exact: true }).waitFor();
    const rounded = page.getByText('This integer is too large to be exact; write it as a string.');
    await page.getByRole('textbox', { name: 'Value' }).fill('9007199254740993');
    await rounded.waitFor();
    await page.getByRole('button', { name: 'Run query' }).click();
    await page.getByRole('alert').filter({ has: rounded }).waitFor();
    await page.getByRole('textbox', { name: 'Value' }).fill('"5"');
    await page.getByRole('button', { name: 'Run query' }).click();
    await page.getByRole('link', { name: 'second', exact: true }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete record' }).click();
    await page.getByText('The record is deleted.').waitFor();
    await page.getByText('No record matches').waitFor();
    expect(await page.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('"5"');
    expect((await backend('GET', '/data/notes/second')).status).toBe(404);
  });

  test('a save over the change of somebody else is stopped, and nothing is lost', async () => {
    await scenario.goTo(page, scenario.appPath('/data/notes/first'));
    await page.locator('.cm-content').waitFor();
    await backend('PATCH', '/data/notes/first', { fields: { other: 'theirs' } });
    await setEditor('{"title": "mine"}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The record was changed by somebody else').waitFor();
    await page.getByRole('region', { name: 'The other version' }).getByText('theirs').waitFor();
    expect((await backend('GET', '/data/notes/first')).data).toMatchObject({ fields: { other: 'theirs' } });
    await page.getByRole('button', { name: 'Keep mine, to replace this version' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The record is saved.').waitFor();
    const saved = (await backend('GET', '/data/notes/first')).data as { version: number };
    expect(saved).toMatchObject({ fields: { title: 'mine' } });
    await page.getByText(`Version ${saved.version},`).waitFor();

    await setEditor('{"title": "saved without an answer"}');
    await loseAnswers(page, '**/data/notes/first', 'PUT');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The service cannot be reached. Check').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`Version ${saved.version + 1},`).waitFor();
    expect(await page.getByText('The record was changed by somebody else').count()).toBe(0);

    await setEditor('{"title": "of a deleted record"}');
    await backend('DELETE', '/data/notes/first');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('There is no such record').waitFor();
    await page.getByRole('link', { name: 'notes', exact: true }).click();
    await page.getByRole('button', { name: 'Stay' }).click();
    await backend('PUT', '/data/notes/first', { fields: { title: 'mine' } });
    await page.getByRole('button', { name: 'Discard changes' }).click();
  });

  test('a record that somebody else has changed is deleted after a look at the change', async () => {
    await backend('PUT', '/data/notes/doomed', { fields: { title: 'mine' } });
    await scenario.goTo(page, scenario.appPath('/data/notes/doomed'));
    const confirm = () => page.getByRole('dialog').getByRole('button', { name: 'Delete record' });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await confirm().waitFor();
    await backend('PATCH', '/data/notes/doomed', { fields: { other: 'theirs' } });
    await confirm().click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('region', { name: 'The other version' }).getByText('theirs').waitFor();
    await page.getByRole('button', { name: 'Discard mine, edit this version' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await confirm().click();
    await confirm().waitFor({ state: 'hidden' });
    expect((await backend('GET', '/data/notes/doomed')).status).toBe(404);
    await scenario.goTo(page, scenario.appPath('/data/notes/first'));
  });

  test('text that is no JSON object cannot be saved', async () => {
    const save = page.getByRole('button', { name: 'Save' });
    await setEditor('[1, 2');
    await page.getByText(/Not valid JSON/).waitFor();
    expect(await save.isDisabled()).toBe(true);
    await setEditor('{"id": 9007199254740993}');
    await page.getByText('Line 1, column 8').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await setEditor('[1, 2]');
    await page.getByText('Enter an object').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Discard changes' }).click();
  });

  test('a collection is deleted after its name was typed, and another one of this name has none of its records', async () => {
    await scenario.goTo(page, scenario.appPath('/data/notes'));
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete collection' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete collection' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('notes');
    await confirm.click();
    await page.getByText('No collections yet').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await backend('POST', '/admin/collections', { name: 'notes' });
    await scenario.goTo(page, scenario.appPath('/data/notes'));
    await page.getByText('No records yet').waitFor();
  });
});

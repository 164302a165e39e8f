// A copy of everything that is stored about the user, as a file.
import { files, type UserExport, userExport } from '@foyer/sdk';
import { html, nothing } from 'lit';
import { Section } from './section.js';

export class DataExport extends Section {
  protected readonly title = 'yourData';
  #latest: UserExport | undefined;

  override async load(): Promise<void> {
    await this.work.run(() => this.#read());
  }

  protected body() {
    const { element } = this;
    if (!this.#latest) return html``;
    const { status, expires_at } = this.#latest;
    if (status === 'pending') return html`<p>${element.text('dataPending')}</p>`;
    const text = expires_at
      ? element.text('dataReady', { when: element.time(expires_at) })
      : element.text('dataText');
    return html`<p>${text}</p>
      <div class="row start">
        ${expires_at ? this.button('download', () => this.run(() => this.#download())) : nothing}
        ${this.button('requestData', () => this.#request())}
      </div>`;
  }

  #request(): void {
    this.runRecent(
      async () => {
        this.#latest = await userExport(this.client).request();
      },
      { own: { 'request/rate-limited': 'dataLimited' } },
    );
  }

  /** The file may have expired while the page was open, or another one may have been requested. */
  async #download(): Promise<void> {
    const { file_id } = await this.#read();
    if (!file_id) return;
    const { url } = await files(this.client).url(file_id, { download: true });
    location.assign(url);
  }

  async #read(): Promise<UserExport> {
    this.#latest = await userExport(this.client).get();
    return this.#latest;
  }
}

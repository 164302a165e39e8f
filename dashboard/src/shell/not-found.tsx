// A URL without a page.
import { Text } from '@mantine/core';
import { TextLink } from '../components/links.tsx';
import { PageHeader } from '../components/page-header.tsx';

export function NotFound() {
  return (
    <>
      <PageHeader title="There is no such page" />
      <Text>
        The link may be incomplete, or the page was removed.{' '}
        <TextLink to="/apps" underline="always">
          Go to your apps
        </TextLink>
      </Text>
    </>
  );
}

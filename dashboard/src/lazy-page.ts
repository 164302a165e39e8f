// A page whose script is loaded when the page is first opened.
import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiProblem } from './api-problem.ts';
import { isUp, reportUnreachable } from './reachability.ts';

/**
 * When the script is missing, the router reloads the browser's page, since a newer dashboard may have been deployed. While
 * the service is unreachable, that would replace the dashboard by an error of the browser.
 */
export const lazyPage: typeof lazyRouteComponent = (importer, name) =>
  lazyRouteComponent(
    () =>
      importer().catch(async (error) => {
        if (await isUp()) throw error;
        reportUnreachable();
        throw new ApiProblem('client/network', 'The service cannot be reached.', { cause: error });
      }),
    name,
  );

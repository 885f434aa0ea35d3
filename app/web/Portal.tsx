import '#kit/web/theme/tokens.css'
import '#kit/web/theme/base.css'
import { StrictMode, type ReactNode } from 'react'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import type { Api } from '#kit/contract/endpoint.ts'
import { ApiProvider } from '#kit/web/api.tsx'
import { BootstrapProvider } from '#kit/web/bootstrap.tsx'
import type { QueryClient } from '#kit/web/query/query-client.ts'
import { QueryClientProvider } from '#kit/web/query/use-query.tsx'
import { LocationContext } from '#kit/web/router/location.ts'
import { Outlet } from '#kit/web/router/Outlet.tsx'
import type { RouteTable } from '#kit/web/page.ts'
import { ErrorBoundary } from '#kit/web/screens/ErrorBoundary.tsx'
import { Frame } from './Frame.tsx'

export type ShellProps = {
  table: RouteTable
  api: Api
  bootstrap: Bootstrap
  client: QueryClient
  place?: { path: string; search: string }
}

export function Portal({ table, api, bootstrap, client, place }: ShellProps): ReactNode {
  return (
    <StrictMode>
      <BootstrapProvider value={bootstrap}>
        <ApiProvider api={api}>
          <QueryClientProvider client={client}>
            <LocationContext value={place}>
              {/* If the frame fails, a page without it is still better than none. */}
              <ErrorBoundary>
                <Frame>
                  <ErrorBoundary>
                    <Outlet table={table} />
                  </ErrorBoundary>
                </Frame>
              </ErrorBoundary>
            </LocationContext>
          </QueryClientProvider>
        </ApiProvider>
      </BootstrapProvider>
    </StrictMode>
  )
}

import '#kit/web/theme/tokens.css'
import '#kit/web/theme/base.css'
import '#kit/web/desk/dense.css'
import { StrictMode, type ReactNode } from 'react'
import type { ShellProps } from '#app/web/Portal.tsx'
import { ApiProvider } from '#kit/web/api.tsx'
import { BootstrapProvider } from '#kit/web/bootstrap.tsx'
import { QueryClientProvider } from '#kit/web/query/use-query.tsx'
import { LocationContext } from '#kit/web/router/location.ts'
import { Outlet } from '#kit/web/router/Outlet.tsx'
import { ErrorBoundary } from '#kit/web/screens/ErrorBoundary.tsx'
import { DeskFrame } from './DeskFrame.tsx'

export function DeskShell({ table, api, bootstrap, client, place }: ShellProps): ReactNode {
  return (
    <StrictMode>
      <BootstrapProvider value={bootstrap}>
        <ApiProvider api={api}>
          <QueryClientProvider client={client}>
            <LocationContext value={place}>
              {/* The outer boundary shows an error page when the frame itself fails to render. */}
              <ErrorBoundary>
                <DeskFrame table={table}>
                  <ErrorBoundary>
                    <Outlet table={table} />
                  </ErrorBoundary>
                </DeskFrame>
              </ErrorBoundary>
            </LocationContext>
          </QueryClientProvider>
        </ApiProvider>
      </BootstrapProvider>
    </StrictMode>
  )
}

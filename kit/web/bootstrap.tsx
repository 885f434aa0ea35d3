import { createContext, use, type ReactNode } from 'react'
import type { Bootstrap } from '../contract/bootstrap.ts'

const BootstrapContext = createContext<Bootstrap | null>(null)

export function BootstrapProvider({ value, children }: { value: Bootstrap; children: ReactNode }): ReactNode {
  return <BootstrapContext value={value}>{children}</BootstrapContext>
}

/**
 * Returns the data that the server embeds in the page for every visitor: layout, market, brand and card key. `serverTime` is when the page
 * was rendered.
 * @throws Error outside a BootstrapProvider
 */
export function useBootstrap(): Bootstrap {
  const bootstrap = use(BootstrapContext)
  if (!bootstrap) throw new Error('useBootstrap outside a BootstrapProvider')
  return bootstrap
}

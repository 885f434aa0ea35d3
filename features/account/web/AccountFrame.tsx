import type { ReactNode } from 'react'

/** A page of the account area: its title, the side menu, and what the page is about. */
export function AccountFrame({ title, children }: { title: string; children: ReactNode }) {
  return <><h1>{title}</h1>{children}</>
}

import type { ReactNode } from 'react'

/** Beside the button that leads on: what comes next, and what that costs. Nobody has to go on to find out. */
export const NextCosts = ({ children }: { children: ReactNode }) => <p className="muted small">{children}</p>

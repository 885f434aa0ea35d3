import type { ReactNode } from 'react'

/** Announces the next step and its cost beside the button, before the visitor continues. */
export const NextCosts = ({ children }: { children: ReactNode }) => <p className="muted small">{children}</p>

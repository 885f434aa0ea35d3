import type { ReactNode } from 'react'

export const NextCosts = ({ children }: { children: ReactNode }) => <p className="muted small">{children}</p>

import type { ReactNode } from 'react'

export const NextStepCost = ({ children }: { children: ReactNode }) => <p className="muted small">{children}</p>

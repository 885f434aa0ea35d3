import type { ReactNode } from 'react'
import * as s from './Card.module.css'

export function Card({
  children,
  inset = true,
  className = '',
}: {
  children: ReactNode
  inset?: boolean
  className?: string
}) {
  return <div className={`${s.card} ${inset ? s.inset : ''} ${className}`}>{children}</div>
}

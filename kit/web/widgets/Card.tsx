import type { ReactNode } from 'react'
import * as s from './Card.module.css'

/** A card on the page's background. Set `inset` to false for content with its own padding. */
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

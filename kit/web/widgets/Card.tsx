import type { ReactNode } from 'react'
import * as s from './Card.module.css'

/** A white sheet on the paper. `inset` false for content that brings its own padding. */
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

import type { ReactNode } from 'react'
import * as s from './fields.module.css'

/** Places form fields side by side: two at any width, and three or four where there is room (specification, section 5). */
export function FieldRow({
  columns = 2,
  className = '',
  children,
}: {
  columns?: 2 | 3 | 4
  className?: string | undefined
  children: ReactNode
}) {
  const wide = { 2: '', 3: s.columns3, 4: s.columns4 }[columns]
  return <div className={`${s.fieldRow} ${wide} ${className}`}>{children}</div>
}

import type { ReactNode } from 'react'
import * as s from './customer.module.css'

export type FactRow = readonly [label: string, value: ReactNode] | false | null | ''

export function FactList({ rows }: { rows: readonly FactRow[] }) {
  return (
    <dl className={s.rows}>
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

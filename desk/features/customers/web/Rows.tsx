import type { ReactNode } from 'react'
import * as s from './customer.module.css'

/** Its label and what it is; nothing where it is not known. */
export type RowOfFacts = readonly [label: string, value: ReactNode] | false | null | ''

/** Facts below each other. */
export function Rows({ rows }: { rows: readonly RowOfFacts[] }) {
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

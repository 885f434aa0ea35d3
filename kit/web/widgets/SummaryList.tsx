import type { ReactNode } from 'react'
import * as s from './SummaryList.module.css'

type Row = readonly [label: ReactNode, value: ReactNode]

export function SummaryList({ rows, total, note }: { rows: readonly Row[]; total?: Row; note?: ReactNode }) {
  return (
    <>
      <dl className={s.list}>
        {rows.map(([label, value], index) => (
          <div key={index}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {total && (
          <div className={s.total}>
            <dt>{total[0]}</dt>
            <dd>{total[1]}</dd>
          </div>
        )}
      </dl>
      {note && <p className={s.note}>{note}</p>}
    </>
  )
}

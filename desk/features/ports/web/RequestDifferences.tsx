import type { DeskPort, PortRequestData } from '../ports.contract.ts'
import { findDifferences, fieldNames } from './port.labels.ts'
import * as s from './port.module.css'

type Props = { before: PortRequestData; after: PortRequestData; donors: DeskPort['donors'] }

export function RequestDifferences({ before, after, donors }: Props) {
  const rows = findDifferences(before, after, donors)
  return (
    <section className={s.differences} aria-label="Changes">
      <h3>Changes</h3>
      {rows.length === 0 && <p>No changes. The same request is sent again.</p>}
      <dl>
        {rows.map((row) => (
          <div key={row.field}>
            <dt>{fieldNames[row.field]}</dt>
            <dd>
              {row.before && (
                <span>
                  <del>{row.before}</del> →{' '}
                </span>
              )}
              {row.after ? <ins>{row.after}</ins> : <span>none</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

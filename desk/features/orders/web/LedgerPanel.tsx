import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import type { DeskOrder } from '../orders.contract.ts'
import * as s from './order.module.css'

export function LedgerPanel({ books: { rows, faults, agree } }: { books: DeskOrder['books'] }) {
  return (
    <Panel
      title="Reconciliation"
      inset={false}
      action={<TonePill tone={agree ? 'good' : 'bad'}>{agree ? 'Everything matches' : 'Doesn’t match'}</TonePill>}
    >
      <table className={s.rows}>
        <caption className="visually-hidden">
          Payments and network records compared with the order and its documents
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Item</span>
            </th>
            <th scope="col">Payments, network</th>
            <th scope="col">Order, documents</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ what, one, other, is_same: isSame }) => (
            <tr key={what} className={isSame ? '' : s.differs}>
              <th scope="row">{what}</th>
              <td>{one}</td>
              <td>{other}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {faults.length > 0 && (
        <ul className={s.faults}>
          {faults.map((fault) => (
            <li key={fault}>It {fault}.</li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

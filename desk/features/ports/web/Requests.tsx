import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { minuteOf } from '#desk/features/staff/web/span-words.ts'
import type { AskedField, DeskPort, PortAsked } from '../ports.contract.ts'
import { answerIn } from './port-words.ts'
import * as s from './port.module.css'

export function Requests({ port: { requests, donors, reference, decline } }: { port: DeskPort }) {
  const { zone } = useBootstrap().market
  const cell = (asked: PortAsked, field: AskedField) => {
    const text = answerIn(asked.answers, field, donors)
    const isWrong = asked.reference === reference && decline?.field === field
    if (isWrong)
      return (
        <mark key={field} className={s.wrong}>
          {text} <span className="visually-hidden">(doesn’t match the other provider’s records)</span>
        </mark>
      )
    if (text && asked.changed.includes(field))
      return (
        <mark key={field} className={s.changed}>
          {text} <span className="visually-hidden">(changed)</span>
        </mark>
      )
    return text
  }
  return (
    <Panel title="Requests" note={requests.length === 1 ? '1 request' : `${requests.length} requests`} inset={false}>
      <DataTable
        caption="All transfer requests for this service, oldest first"
        columns={[
          { title: 'Request', isName: true },
          { title: 'Number', isShort: true },
          { title: 'From', isShort: true },
          { title: 'Billing', isShort: true },
          { title: 'SIM or account', isShort: true },
          { title: 'Result' },
        ]}
        rows={requests.map((asked, index) => ({
          key: asked.reference,
          ...(asked.reference !== reference && { href: `/ports/${asked.reference}/` }),
          cells: [
            `${index + 1}, ${minuteOf(asked.created, zone)}`,
            cell(asked, 'msisdn'),
            cell(asked, 'provider'),
            cell(asked, 'billing_method'),
            cell(asked, asked.answers.billing_method === 'prepay' ? 'prepaid_sim_number' : 'account_number'),
            <span key="ended">
              <TonePill tone={asked.tone}>{asked.words}</TonePill> {asked.code && <code>{asked.code}</code>}
            </span>,
          ],
        }))}
      />
    </Panel>
  )
}

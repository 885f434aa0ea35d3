import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { PortRequestField, DeskPort, PortRequest } from '../ports.contract.ts'
import { formatFieldValue } from './port.labels.ts'
import * as s from './port.module.css'

export function PortRequests({ port: { requests, donors, reference, decline } }: { port: DeskPort }) {
  const { zone } = useBootstrap().market
  const cell = (request: PortRequest, field: PortRequestField) => {
    const text = formatFieldValue(request.answers, field, donors)
    const isDeclinedField = request.reference === reference && decline?.field === field
    if (isDeclinedField)
      return (
        <mark key={field} className={s.wrong}>
          {text} <span className="visually-hidden">(doesn’t match the other provider’s records)</span>
        </mark>
      )
    if (text && request.changed.includes(field))
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
        caption="Number transfer requests, oldest first"
        columns={[
          { title: 'Request', isName: true },
          { title: 'Number', isShort: true },
          { title: 'From', isShort: true },
          { title: 'Billing', isShort: true },
          { title: 'SIM or account', isShort: true },
          { title: 'Result' },
        ]}
        rows={requests.map((request, index) => ({
          key: request.reference,
          ...(request.reference !== reference && { href: `/ports/${request.reference}/` }),
          cells: [
            `${index + 1}, ${formatDayAndTime(request.created, zone)}`,
            cell(request, 'msisdn'),
            cell(request, 'provider'),
            cell(request, 'billing_method'),
            cell(request, request.answers.billing_method === 'prepay' ? 'prepaid_sim_number' : 'account_number'),
            <span key="ended">
              <TonePill tone={request.tone}>{request.words}</TonePill> {request.code && <code>{request.code}</code>}
            </span>,
          ],
        }))}
      />
    </Panel>
  )
}

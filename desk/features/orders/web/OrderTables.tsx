import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { CopyText } from '#kit/web/desk/CopyText.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { formatDateAndTimeWithSeconds } from '#desk/features/staff/web/date-time.labels.ts'
import { durationLabel } from '#desk/features/staff/web/time.labels.ts'
import type { DeskOrder } from '../orders.contract.ts'
import * as s from './OrderTables.module.css'

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const operationCell = (name: string, more: string | null) => (
  <>
    <b className={s.what}>{name}</b> {more && <span className="muted">{more}</span>}
  </>
)

export function PaymentPanel({ order: { payments, for_gateway } }: { order: DeskOrder }) {
  const { zone } = useBootstrap().market
  const tries = payments.filter((row) => row.what === 'Authorise' && row.amount).length
  return (
    <Panel
      title="Payment"
      note={formatCount(tries, 'attempt')}
      inset={false}
      action={payments.length > 0 && <CopyText text={for_gateway}>Copy text for the gateway</CopyText>}
    >
      <DataTable
        caption="Requests to the card gateway"
        columns={[
          { title: 'Time' },
          { title: 'Request', isName: true },
          { title: 'Answer' },
          { title: 'Gateway’s reference' },
          { title: 'Amount', isFigure: true },
        ]}
        rows={payments.map((row, index) => ({
          key: index,
          cells: [
            formatDateAndTimeWithSeconds(row.at, zone),
            operationCell(row.what, row.reference),
            <TonePill key="said" tone={row.tone}>
              {row.said}
            </TonePill>,
            row.psp_reference ?? 'none',
            row.amount ? formatPriceWithCommas(decimalToCents(row.amount)) : '',
          ],
        }))}
        empty="No requests to the gateway yet."
      />
    </Panel>
  )
}

export function NetworkPanel({ order: { network, for_carrier } }: { order: DeskOrder }) {
  const { zone } = useBootstrap().market
  return (
    <Panel
      title="Mobile network"
      note={formatCount(network.length, 'operation')}
      inset={false}
      action={network.length > 0 && <CopyText text={for_carrier}>Copy for the carrier</CopyText>}
    >
      <DataTable
        caption="Requests to the mobile network"
        columns={[
          { title: 'Time' },
          { title: 'Operation', isName: true },
          { title: 'Our reference' },
          { title: 'Result' },
          { title: 'Took', isFigure: true },
        ]}
        rows={network.map((row, index) => ({
          key: index,
          cells: [
            formatDateAndTimeWithSeconds(row.at, zone),
            operationCell(row.what, row.of),
            row.external_id ?? '',
            <TonePill key="said" tone={row.tone}>
              {row.said}
            </TonePill>,
            row.seconds === null ? '' : durationLabel(row.seconds),
          ],
        }))}
        empty="No requests to the network yet."
      />
    </Panel>
  )
}

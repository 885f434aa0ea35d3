import { useState } from 'react'
import { formatPrice, decimalToCents, gstOf } from '#kit/contract/money.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Dialog } from '#kit/web/widgets/Dialog.tsx'
import { ShowOnNarrowScreens } from '#kit/web/widgets/Layout.tsx'
import { SummaryList } from '#kit/web/widgets/SummaryList.tsx'
import * as s from './PurchaseSummary.module.css'

export type PurchaseDetails = {
  rows: readonly (readonly [label: string, value: string])[]
  title: string
  /** The price including GST, as formatted by the API, for example `'29.00'`. */
  price: string
  note?: string | undefined
  /** The price as a monthly average, for example `'$37.06'`, if the market requires one. */
  monthlyAverage?: string | undefined
}

export function PurchaseSummary({ bought }: { bought: PurchaseDetails }) {
  return (
    <Card>
      <h2 className={s.heading}>Summary</h2>
      <PurchaseDetailsList bought={bought} />
    </Card>
  )
}

export function PurchaseSummaryBar({ bought }: { bought: PurchaseDetails }) {
  const [open, setOpen] = useState(false)
  return (
    <ShowOnNarrowScreens>
      <div className={s.bar}>
        <p>
          <b>{formatPrice(decimalToCents(bought.price))}</b>
          <span>{bought.title}</span>
          {bought.monthlyAverage && <span>Monthly average {bought.monthlyAverage}</span>}
        </p>
        <Button kind="quiet" onClick={() => setOpen(true)}>
          SEE SUMMARY
        </Button>
      </div>
      <Dialog title="Summary" open={open} onClose={() => setOpen(false)}>
        <PurchaseDetailsList bought={bought} />
      </Dialog>
    </ShowOnNarrowScreens>
  )
}

function PurchaseDetailsList({ bought: { rows, price, note } }: { bought: PurchaseDetails }) {
  const { market } = useBootstrap()
  const amountDue = decimalToCents(price)
  return (
    <SummaryList
      rows={rows}
      total={['Total Due', formatPrice(amountDue)]}
      note={note ?? `${market.currency}, including ${formatPrice(gstOf(amountDue, market.taxPart))} GST`}
    />
  )
}

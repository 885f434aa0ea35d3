import { useState } from 'react'
import { formatPrice, fromWire, gstOf } from '#kit/contract/money.ts'
import { formatData } from '#kit/contract/plans.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Dialog } from '#kit/web/widgets/Dialog.tsx'
import { NarrowOnly } from '#kit/web/widgets/Layout.tsx'
import { SummaryList } from '#kit/web/widgets/SummaryList.tsx'
import type { Activation } from '../activation.contract.ts'
import s from './checkout.module.css'

type Props = { activation: Activation }

/** What is bought, by whom, and what it costs: beside the form, where there is room. */
export function CheckoutSummary({ activation }: Props) {
  return (
    <Card>
      <h2 className={s.heading}>Summary</h2>
      <Details activation={activation} />
    </Card>
  )
}

/** Where there is none: the plan and its price in a line, and the rest one press away. */
export function SummaryBar({ activation }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <NarrowOnly>
      <div className={s.bar}>
        <p>
          <b>{formatPrice(fromWire(activation.balance_due))}</b>
          <span>{activation.plan_title}</span>
        </p>
        <Button kind="quiet" onClick={() => setOpen(true)}>SEE SUMMARY</Button>
      </div>
      <Dialog title="Summary" open={open} onClose={() => setOpen(false)}>
        <Details activation={activation} />
      </Dialog>
    </NarrowOnly>
  )
}

function Details({ activation }: Props) {
  const { market } = useBootstrap()
  const { phone_number, setup_porting, porting_request, plan_title, product, full_name, email } = activation
  const due = fromWire(activation.balance_due)
  const rows: [string, string | undefined][] = [
    [setup_porting ? 'SIM pack number' : 'Phone number', phone_number],
    ['Number to bring', setup_porting ? porting_request?.msisdn : undefined],
    ['Prepay Plan', product ? `${formatData(product.data_gb)} · ${product.length} days` : plan_title],
    ['Name', full_name],
    ['Email', email],
  ]
  return (
    <SummaryList
      rows={rows.filter(([, value]) => value)}
      total={['Total Due', formatPrice(due)]}
      note={due === 0 ? 'Paid with your voucher' : `${market.currency}, including ${formatPrice(gstOf(due, market.taxPart))} GST`}
    />
  )
}

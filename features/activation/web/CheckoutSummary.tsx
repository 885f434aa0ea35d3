import { useState } from 'react'
import { formatPrice, fromWire, gstOf } from '#kit/contract/money.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Dialog } from '#kit/web/widgets/Dialog.tsx'
import { NarrowOnly } from '#kit/web/widgets/Layout.tsx'
import { SummaryList } from '#kit/web/widgets/SummaryList.tsx'
import type { Activation } from '../activation.contract.ts'
import s from './wizard.module.css'

/** What is bought and what it costs, beside the form on a desktop. */
export function CheckoutSummary({ activation }: { activation: Activation }) {
  return (
    <Card>
      <h2 className={s.heading}>Summary</h2>
      <SummaryOf activation={activation} />
    </Card>
  )
}

/** The same in a modal, where there is no room beside the form. */
export function SummaryOnPhone({ activation }: { activation: Activation }) {
  const [open, setOpen] = useState(false)
  return (
    <NarrowOnly>
      <Button kind="quiet" wide onClick={() => setOpen(true)}>SEE SUMMARY</Button>
      <Dialog title="Summary" open={open} onClose={() => setOpen(false)}>
        <SummaryOf activation={activation} />
      </Dialog>
    </NarrowOnly>
  )
}

function SummaryOf({ activation }: { activation: Activation }) {
  const { market } = useBootstrap()
  const { product, porting_request: port } = activation
  const due = fromWire(activation.balance_due)
  const rows: [string, string | undefined][] = [
    ['Phone Number', activation.phone_number],
    ['Number to bring', activation.setup_porting ? port?.msisdn : undefined],
    ['Prepay Plan', product ? `${activation.plan_title}, ${product.length} days` : undefined],
    ['Name', activation.full_name],
    ['Email', activation.email],
  ]
  return (
    <SummaryList
      rows={rows.filter(([, value]) => value)}
      total={['Total Due', formatPrice(due)]}
      note={due === 0 ? 'Paid with your voucher' : `${market.currency}, including ${formatPrice(gstOf(due, market.taxPart))} GST`}
    />
  )
}

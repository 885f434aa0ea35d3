import { decimalToCents, gstOf } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ChipRow } from '#kit/web/desk/ChipRow.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import type { DeskOrder } from '../orders.contract.ts'
import { approvalRequirementText, refundConsequences } from './refund.labels.ts'
import { useRefund } from './use-refund.ts'
import { ConsequenceList } from '#kit/web/desk/ConsequenceList.tsx'
import * as s from './RefundDrawer.module.css'

type Props = Parameters<typeof useRefund>[0] & { onClose: () => void }

export function RefundDrawer({ open, ...props }: Props & { open: boolean }) {
  return (
    <Drawer title="Refund" open={open} onClose={props.onClose}>
      {open && <RefundForm {...props} />}
    </Drawer>
  )
}

const chips = [
  { value: 'all', text: 'Full refund' },
  { value: 'part', text: 'Partial refund' },
] as const

function RefundForm({ onClose, ...options }: Props) {
  const { taxPart } = useBootstrap().market
  const { order } = options
  const { left } = order.money
  const { form, cents, needsSecond } = useRefund(options)
  return (
    <form {...form.props}>
      <Sums money={order.money} />
      {order.refund_all_why === null ? (
        <ChipRow
          label="Refund amount"
          chips={chips}
          value={form.values.amount === left ? 'all' : 'part'}
          onChange={(value) => form.set('amount', value === 'all' ? left : '')}
        />
      ) : (
        <Banner kind="info" title="Only a partial refund is possible">
          {order.refund_all_why}
        </Banner>
      )}
      <div className={s.amounts}>
        <TextField form={form} name="amount" label="Amount" inputMode="decimal" autoComplete="off" />
        <p className={s.tax}>
          <span>Including GST</span>
          <b>{cents === null ? '–' : formatPriceWithCommas(gstOf(cents, taxPart))}</b>
        </p>
      </div>
      <ReasonFields form={form} />
      {cents !== null && cents > 0 && (
        <ConsequenceList items={refundConsequences({ order, cents, needsSecond, taxPart })} />
      )}
      {needsSecond && (
        <Banner kind="warn" icon="user" title="This refund needs approval.">
          {approvalRequirementText(order)}
        </Banner>
      )}
      <FormErrors form={form} />
      <p className={s.acts}>
        <SubmitButton form={form} pendingText={needsSecond ? 'Sending the request' : 'Refunding'}>
          {needsSecond ? 'Request approval' : `Refund ${cents ? formatPriceWithCommas(cents) : ''}`}
        </SubmitButton>{' '}
        <DenseButton onClick={onClose}>Close</DenseButton>
      </p>
    </form>
  )
}

function Sums({ money }: { money: DeskOrder['money'] }) {
  const sums = [
    [`Paid with ${money.paid_with}`, money.paid],
    ['Refunded so far', money.given],
  ] as const
  return (
    <dl className={s.sums}>
      {sums.map(([name, amount]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatPriceWithCommas(decimalToCents(amount))}</dd>
        </div>
      ))}
    </dl>
  )
}

import { object } from 'valibot'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { PurchaseForm } from '#features/orders/web/PurchaseForm.tsx'
import { voucherCode } from '#features/vouchers/vouchers.contract.ts'
import { useEnteredVoucher } from '#features/vouchers/web/voucher.queries.ts'
import { VoucherCodeField } from '#features/vouchers/web/VoucherCodeField.tsx'
import type { Starts } from '../renewal.contract.ts'
import { AutoRenewalFirst } from './AutoRenewalFirst.tsx'
import { PaymentTypes } from './PaymentTypes.tsx'
import { RenewActions } from './RenewActions.tsx'
import { RenewalTotal } from './RenewalTotal.tsx'
import { byVoucher } from './renewal-words.ts'
import { isAutoRenewing, type Renewed } from './renewed.ts'
import { usualStart, useRunningPlan } from './running-plan.ts'
import { StartQuestion } from './StartQuestion.tsx'
import { draftOf, useRenewal } from './use-renewal.ts'
import * as layout from './start-choice.module.css'

const schema = object({ code: voucherCode })

export function VoucherRenewal({ plan, code }: { plan: Renewed; code: string }) {
  const running = useRunningPlan(plan)
  const purchase = useRenewal<{ code: string; starts: Starts }>(plan, {
    schema,
    initial: { code: code.trim().toUpperCase(), starts: usualStart(running) },
    draftKey: draftOf(plan, 'voucher'),
    // A code in the address takes precedence over a previously typed code.
    draftOmit: code ? ['code'] : [],
    buys: (values) => values.code,
    shows: () => ({ price: '0.00' }),
    body: (values) => ({ payment_method: '2', code: values.code, ...(running && { starts: values.starts }) }),
  })
  const { form } = purchase
  const { data: voucher } = useEnteredVoucher(form, 'RENEWAL')
  return (
    <PurchaseForm purchase={purchase} words={byVoucher}>
      {isAutoRenewing(plan) && <AutoRenewalFirst plan={plan} />}
      <div className={layout.columns}>
        <div>
          <section className={layout.payment} aria-labelledby={`${form.id}payment`}>
            <h2 id={`${form.id}payment`}>Payment</h2>
            <PaymentTypes shortId={plan.schedule.short_id} by="voucher" />
            <Card>
              <FormErrors form={form} />
              <VoucherCodeField form={form} event="RENEWAL" />
            </Card>
          </section>
          {running && !plan.change && (
            <StartQuestion form={form} running={running} length={voucher?.product.length} byVoucher />
          )}
        </div>
        <RenewalTotal
          phoneNumber={plan.service.phone_number}
          product={voucher?.product}
          cents={null}
          running={running}
          isDocked={!isAutoRenewing(plan)}
          starts={plan.change ? 'at_end' : form.values.starts}
        >
          <RenewActions form={form} plan={plan}>
            RENEW
          </RenewActions>
        </RenewalTotal>
      </div>
    </PurchaseForm>
  )
}

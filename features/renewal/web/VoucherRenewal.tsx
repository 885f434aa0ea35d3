import { object } from 'valibot'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { PurchaseForm } from '#features/orders/web/PurchaseForm.tsx'
import { voucherCodeSchema } from '#features/vouchers/vouchers.contract.ts'
import { useEnteredVoucher } from '#features/vouchers/web/voucher.queries.ts'
import { VoucherCodeField } from '#features/vouchers/web/VoucherCodeField.tsx'
import type { StartOption } from '../renewal.contract.ts'
import { AutoRenewalNotice } from './AutoRenewalNotice.tsx'
import { PaymentMethodTabs } from './PaymentMethodTabs.tsx'
import { RenewActions } from './RenewActions.tsx'
import { RenewalTotal } from './RenewalTotal.tsx'
import { voucherConfirmationLabels } from './renewal.labels.ts'
import { isAutoRenewing, type RenewablePlan } from './renewable-plan.ts'
import { getDefaultStart, useRunningPlan } from './running-plan.ts'
import { StartQuestion } from './StartQuestion.tsx'
import { getDraftKey, useRenewal } from './use-renewal.ts'
import * as layout from './start-choice.module.css'

const voucherSchema = object({ code: voucherCodeSchema })

export function VoucherRenewal({ plan, code }: { plan: RenewablePlan; code: string }) {
  const runningPlan = useRunningPlan(plan)
  const purchase = useRenewal<{ code: string; starts: StartOption }>(plan, {
    schema: voucherSchema,
    initial: { code: code.trim().toUpperCase(), starts: getDefaultStart(runningPlan) },
    draftKey: getDraftKey(plan, 'voucher'),
    // A voucher code in the URL takes precedence over one that was typed earlier.
    draftOmit: code ? ['code'] : [],
    buys: (values) => values.code,
    shows: () => ({ price: '0.00' }),
    body: (values) => ({ payment_method: '2', code: values.code, ...(runningPlan && { starts: values.starts }) }),
  })
  const { form } = purchase
  const { data: voucher } = useEnteredVoucher(form, 'RENEWAL')
  return (
    <PurchaseForm purchase={purchase} words={voucherConfirmationLabels}>
      {isAutoRenewing(plan) && <AutoRenewalNotice plan={plan} />}
      <div className={layout.columns}>
        <div>
          <section className={layout.payment} aria-labelledby={`${form.id}payment`}>
            <h2 id={`${form.id}payment`}>Payment</h2>
            <PaymentMethodTabs shortId={plan.schedule.short_id} by="voucher" />
            <Card>
              <FormErrors form={form} />
              <VoucherCodeField form={form} event="RENEWAL" />
            </Card>
          </section>
          {runningPlan && !plan.change && (
            <StartQuestion form={form} running={runningPlan} length={voucher?.product.length} byVoucher />
          )}
        </div>
        <RenewalTotal
          phoneNumber={plan.service.phone_number}
          product={voucher?.product}
          cents={null}
          running={runningPlan}
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

import { object } from 'valibot'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Columns } from '#kit/web/widgets/Layout.tsx'
import { PurchaseForm } from '#features/orders/web/PurchaseForm.tsx'
import { voucherCode } from '#features/vouchers/vouchers.contract.ts'
import { VoucherCodeField } from '#features/vouchers/web/VoucherCodeField.tsx'
import { Notice } from './Notice.tsx'
import { RenewActions } from './RenewActions.tsx'
import { byVoucher } from './renewal-words.ts'
import type { Renewed } from './renewed.ts'
import { draftOf, useRenewal } from './use-renewal.ts'

const schema = object({ code: voucherCode })

/** The plan is paid for already, by a voucher: the one in the address, or one that is typed. */
export function VoucherRenewal({ plan, code }: { plan: Renewed; code: string }) {
  const purchase = useRenewal(plan, {
    schema,
    initial: { code: code.trim().toUpperCase() },
    // A code in the address is not to be covered by one that was typed before.
    draftKey: code ? undefined : draftOf(plan, 'voucher'),
    buys: (values) => values.code,
    body: (values) => ({ payment_method: '2', code: values.code }),
  })
  const { form } = purchase
  return (
    <Columns>
      <PurchaseForm purchase={purchase} words={byVoucher}>
        <Notice service={plan.service} />
        <Card>
          <FormErrors form={form} />
          <VoucherCodeField form={form} event="RENEWAL" />
          <RenewActions form={form} plan={plan}>
            RENEW
          </RenewActions>
        </Card>
      </PurchaseForm>
    </Columns>
  )
}

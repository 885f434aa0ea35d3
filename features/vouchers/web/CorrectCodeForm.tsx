import { useEffect, useEffectEvent } from 'react'
import { object } from 'valibot'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { useNavigate } from '#kit/web/router/location.ts'
import { Card } from '#kit/web/widgets/Card.tsx'
import { useUser } from '#features/auth/web/use-user.ts'
import { voucherCodeSchema, voucherCodeLength, voucherMessages } from '../vouchers.contract.ts'
import { VoucherCodeField } from './VoucherCodeField.tsx'

const codeSchema = object({ code: voucherCodeSchema })

/** Corrects a voucher code. “Skip” leads a customer with a confirmed email address to renewal, and anyone else to activation. */
export function CorrectCodeForm({ code }: { code: string }) {
  const navigate = useNavigate()
  const user = useUser()
  const form = useForm({
    schema: codeSchema,
    initial: { code },
    submit: async (values) => navigate(`/use-voucher/${encodeURIComponent(values.code)}/`, { replace: true }),
  })
  const showCodeError = useEffectEvent(() => form.setErrors({ code: [voucherMessages.unknown] }))
  useEffect(() => {
    // Only a code of full length is looked up, so a shorter code gets its error message here.
    if (code.length !== voucherCodeLength) showCodeError()
  }, [code])

  return (
    <Card>
      <form {...form.props}>
        <VoucherCodeField form={form} />
        <FormActions back={user?.email_verified ? '/services/renew/' : '/activate/'} backText="Skip">
          <SubmitButton form={form} pendingText="CHECKING">
            CONTINUE
          </SubmitButton>
        </FormActions>
      </form>
    </Card>
  )
}

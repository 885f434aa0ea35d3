import { useEffect } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { appendZoneToTime } from '#kit/contract/zone-name.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import type { SendApiRequest } from '#kit/web/desk/send-api-request.ts'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { formatTime24 } from '#kit/web/desk/timeline-days.ts'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { PinInput } from '#kit/web/form/PinInput.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { type Caller, callerPinLength, callerVerifyBody, verifyCaller } from '../caller-verification.contract.ts'
import * as s from './caller-verification.module.css'

type Props = {
  id: string
  asked: NonNullable<Caller['asked']>
  call: SendApiRequest
  onVerified: () => Promise<void>
  onPinUnusable: (failure: ApiError) => Promise<void>
  onSendAnother: () => void
}

export function PinForm({ id, asked: { by, to, until }, call, onVerified, onPinUnusable, onSendAnother }: Props) {
  const { zone } = useBootstrap().market
  const form = useForm({
    schema: callerVerifyBody,
    initial: { pin: '' },
    async submit(body) {
      try {
        await call((api) => api.call(verifyCaller, { params: { id }, body }))
        return true
      } catch (failure) {
        if (!(failure instanceof ApiError) || failure.status !== 409) return withFormErrors(Promise.reject(failure))
        await onPinUnusable(failure)
        return false
      }
    },
    onSuccess: (isVerified) => (isVerified ? onVerified() : undefined),
  })
  const endTime = appendZoneToTime(formatTime24(until, zone), zone)
  const field = form.field('pin').id
  useEffect(() => document.getElementById(field)?.focus(), [field])
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <PinInput
        form={form}
        name="pin"
        label="PIN read out by the caller"
        length={callerPinLength}
        hint={`Sent by ${by === 'mail' ? 'email' : by} to ${to}. Valid until ${endTime}.`}
      />
      <SubmitButton form={form} wide pendingText="Comparing">
        Verify
      </SubmitButton>
      <p className={s.anew}>
        <DenseButton kind="word" onClick={onSendAnother}>
          Send another PIN
        </DenseButton>
      </p>
    </form>
  )
}

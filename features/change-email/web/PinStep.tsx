import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { PinInput } from '#kit/web/form/PinInput.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import { ResendMail } from '#features/account/web/ResendMail.tsx'
import { type EmailChangeView, pinLength, pinSchema } from '../change-email.contract.ts'
import type { ChangeEmailMutations } from './use-change-email-mutations.ts'
import * as s from './change-email.module.css'

type Props = { change: EmailChangeView; moves: ChangeEmailMutations; goBack: () => void }

export function PinStep({ change: { state, new_email, sent_to }, moves, goBack }: Props) {
  const form = useForm({
    schema: pinSchema,
    initial: { otp: '' },
    // The form sends the new address with the PIN, so that the server rejects the PIN if another tab has requested a different address.
    submit: ({ otp }) => moves.update({ new_email, otp }),
  })

  async function resendPinCode(): Promise<string> {
    const sentMessage = await moves.sendPin()
    form.reset()
    return sentMessage
  }

  return (
    <>
      <p className={s.text}>
        {sent_to ? (
          <span key="to">
            We’ve sent a {pinLength}-digit PIN to{' '}
            <b>{sent_to.includes('@') ? sent_to : `your number ending ${sent_to.slice(-3)}`}</b>.
          </span>
        ) : (
          <span key="sent">We’ve sent you a {pinLength}-digit PIN.</span>
        )}{' '}
        <span>
          Enter it to change your email address to <EmailAddress of={new_email} />.
        </span>
      </p>
      <div role="status">
        {state === 'EXPIRED' && (
          <Banner kind="warn" title="Your One-Time PIN has expired">
            Press RESEND PIN, then enter the new one.
          </Banner>
        )}
      </div>
      <form {...form.props}>
        <FormErrors form={form} />
        <PinInput
          form={form}
          name="otp"
          label="One-Time PIN"
          length={pinLength}
          autoComplete="one-time-code"
          enterKeyHint="done"
        />
        <FormActions back={goBack}>
          <SubmitButton form={form} pendingText="CHECKING">
            CONTINUE
          </SubmitButton>
        </FormActions>
      </form>
      <ResendMail question="Didn't receive the PIN?" text="RESEND PIN" send={resendPinCode} />
    </>
  )
}

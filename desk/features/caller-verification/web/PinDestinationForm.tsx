import type { SendApiRequest } from '#kit/web/desk/send-api-request.ts'
import { ChoiceField } from '#kit/web/form/ChoiceField.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { callerPinBody, type CallerPinDestination, sendCallerPin } from '../caller-verification.contract.ts'
import * as s from './caller-verification.module.css'

type Props = { id: string; ways: readonly CallerPinDestination[]; call: SendApiRequest; onSent: () => Promise<void> }

const destinationLabel = ({ by, to }: CallerPinDestination): string =>
  by === 'text' ? `Text to ${to}` : `Email to ${to}`

/**
 * Lets staff choose where the PIN is sent. For security, it offers only stored contact details, never an address that the caller gives.
 */
export function PinDestinationForm({ id, ways, call, onSent }: Props) {
  const availableDestinations = ways.filter((way) => way.why_not === null)
  const form = useForm({
    schema: callerPinBody,
    initial: { way: availableDestinations[0]?.id ?? '' },
    submit: (body) => withFormErrors(call((api) => api.call(sendCallerPin, { params: { id }, body }))),
    onSuccess: onSent,
  })
  return (
    <form {...form.props}>
      <p className={s.lead}>We send the caller a six-digit PIN, and they read it out to you.</p>
      <FormErrors form={form} />
      {availableDestinations.length > 0 && (
        <ChoiceField
          form={form}
          name="way"
          legend="Send the PIN to"
          options={availableDestinations.map((way) => ({ value: way.id, label: destinationLabel(way) }))}
        />
      )}
      {availableDestinations.length === 0 && (
        <p className={s.lead}>
          There is nowhere safe to send a PIN, so you can’t verify this caller now. The reasons are below.
        </p>
      )}
      <ul className={s.closed}>
        {ways.map(
          ({ id: wayId, by, to, why_not: whyNot }) =>
            whyNot && (
              <li key={wayId}>{`We can’t send ${by === 'text' ? 'a text' : 'an email'} to ${to}. ${whyNot}`}</li>
            ),
        )}
      </ul>
      {availableDestinations.length > 0 && (
        <SubmitButton form={form} wide pendingText="Sending">
          Send PIN
        </SubmitButton>
      )}
    </form>
  )
}

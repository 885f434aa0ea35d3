import * as v from 'valibot'
import { requiredText } from '#kit/contract/schema.ts'
import { simSamples } from '#kit/contract/sim-samples.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { PinInput } from '#kit/web/form/PinInput.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Section } from './Section.tsx'

const pin = requiredText('Please enter your One-Time PIN.')

export function PinSection() {
  const { market } = useBootstrap()
  const form = useForm({
    schema: v.object({ pin, otp: pin }),
    initial: { pin: '', otp: '' },
    submit: async () => {},
    successMessage: 'PIN accepted',
  })
  return (
    <Section
      title="PIN"
      note="A PIN field accepts only digits, pasted or typed. It is a single field, so that corrections are easy."
    >
      <form {...form.props}>
        <PinInput form={form} name="pin" label="Four digits" />
        <PinInput
          form={form}
          name="otp"
          label="Six digits"
          length={6}
          hint={`We’ve sent it to ${simSamples[market.phoneRegion].number}`}
        />
        <SubmitButton form={form}>Continue</SubmitButton>
      </form>
    </Section>
  )
}

import type { ReactNode } from 'react'
import { simSamples } from '#kit/contract/sim-samples.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ChoiceField } from '#kit/web/form/ChoiceField.tsx'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SelectField } from '#kit/web/form/SelectField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Columns } from '#kit/web/widgets/Layout.tsx'
import { type BillingMethod, billingMethods, phoneCharacters, type Donor } from '../porting.contract.ts'
import { PortingHelp } from './PortingHelp.tsx'

export type PortingValues = {
  msisdn: string
  provider: string
  billing_method: BillingMethod | null
  prepaid_sim_number: string
  account_number: string
}

type StoredPortingForm = Omit<PortingValues, 'billing_method'> & { billing_method: 1 | 2 }

export function initialPortingValues(storedForm: StoredPortingForm | null): PortingValues {
  if (!storedForm) return { msisdn: '', provider: '', billing_method: null, prepaid_sim_number: '', account_number: '' }
  const { msisdn, provider, prepaid_sim_number, account_number } = storedForm
  const billing_method = storedForm.billing_method === billingMethods.prepay ? 'prepay' : 'account'
  return { msisdn, provider, billing_method, prepaid_sim_number, account_number }
}

export const toPortingBody = (values: PortingValues): PortingValues => ({
  ...values,
  prepaid_sim_number: values.billing_method === 'prepay' ? values.prepaid_sim_number : '',
  account_number: values.billing_method === 'account' ? values.account_number : '',
})

/** Maximum length in characters of the number transfer fields (spec 9). */
const maxFieldLength = 20

type Props = {
  form: Form<PortingValues>
  donors: readonly Donor[]
  donorsHint?: ReactNode
  submitText: string
  back: string | (() => void)
  backText?: string
}

export function PortingForm({ form, donors, donorsHint, submitText, back, backText }: Props) {
  return (
    <Columns aside={<PortingHelp billingMethod={form.values.billing_method} />}>
      <Card>
        <form {...form.props}>
          <FormErrors form={form} />
          <TextField
            form={form}
            name="msisdn"
            label="Phone Number you want to bring"
            type="tel"
            autoComplete="tel"
            allow={phoneCharacters}
            maxLength={maxFieldLength}
          />
          <SelectField
            form={form}
            name="provider"
            label="Current provider"
            placeholder="Choose one"
            options={donors.map(({ id, name }) => ({ value: id, label: name }))}
            hint={donorsHint}
          />
          <ChoiceField
            form={form}
            name="billing_method"
            legend="How do you pay your current provider?"
            row
            options={[
              { value: 'prepay', label: 'Prepay', description: 'You pay in advance.' },
              { value: 'account', label: 'Account', description: 'You get a bill.' },
            ]}
          />
          <DonorProofField form={form} />
          <FormActions back={back} backText={backText}>
            <SubmitButton form={form} pendingText="SENDING">
              {submitText}
            </SubmitButton>
          </FormActions>
        </form>
      </Card>
    </Columns>
  )
}

export function DonorProofField({ form }: { form: Form<PortingValues> }) {
  const { market } = useBootstrap()
  const { billing_method } = form.values
  const { begins } = simSamples[market.phoneRegion]
  if (billing_method === 'prepay') {
    return (
      <TextField
        form={form}
        name="prepaid_sim_number"
        label="Existing Prepay SIM Number"
        inputMode="numeric"
        autoComplete="off"
        allow={/\d/}
        maxLength={maxFieldLength}
        hint={`On your old SIM, or in your phone’s settings for an eSIM: 16 to 20 digits, starts with ${begins}`}
      />
    )
  }
  if (billing_method === 'account') {
    return (
      <TextField
        form={form}
        name="account_number"
        label="Existing Account Number"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        allow={/[a-z0-9]/i}
        maxLength={maxFieldLength}
        hint="You’ll find it on your bill: up to 20 letters and digits"
      />
    )
  }
  return null
}

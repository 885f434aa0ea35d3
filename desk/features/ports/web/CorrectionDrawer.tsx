import type { ReactNode } from 'react'
import { simSamples } from '#kit/contract/sim-samples.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { ChoiceField } from '#kit/web/form/ChoiceField.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SelectField } from '#kit/web/form/SelectField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { esimNumberSentence, phoneCharacters } from '#features/porting/porting.contract.ts'
import { portReasonNames } from '#desk/features/staff/reasons.contract.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { emptyReasonValues, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import {
  type PortRequestField,
  portCorrectionSchemas,
  correctPort,
  type DeskPort,
  type PortRequestData,
} from '../ports.contract.ts'
import { RequestDifferences } from './RequestDifferences.tsx'
import { providerHoursLabel } from './port.labels.ts'
import * as s from './port.module.css'

type Props = { port: DeskPort; onClose: () => void; onSent: (reference: string) => void }

export function CorrectionDrawer({ open, ...props }: Props & { open: boolean }) {
  return (
    <Drawer title="Correct and resubmit" open={open} onClose={props.onClose}>
      {open && <ResubmitPortForm {...props} />}
    </Drawer>
  )
}

type CorrectionFormValues = PortRequestData & { reason: string; note: string }

/** Clears the proof for the billing method that was not chosen, because the person may have typed it before switching. */
const toRequestBody = (values: CorrectionFormValues): CorrectionFormValues => ({
  ...values,
  prepaid_sim_number: values.billing_method === 'prepay' ? values.prepaid_sim_number : '',
  account_number: values.billing_method === 'account' ? values.account_number : '',
})

function ResubmitPortForm({ port, onClose, onSent }: Props) {
  const api = useApi()
  const { market } = useBootstrap()
  const { reference, answers, donors, decline } = port
  const form = useForm<CorrectionFormValues, string>({
    schema: portCorrectionSchemas[market.phoneRegion],
    initial: { ...answers, ...emptyReasonValues },
    submit: async (values) =>
      (await withFormErrors(api.call(correctPort, { params: { reference }, body: toRequestBody(values) }))).data
        .reference,
    onSuccess: onSent,
  })
  return (
    <form {...form.props}>
      {decline && (
        <Banner kind="bad" title={decline.why}>
          {decline.ask}
        </Banner>
      )}
      <RequestFields form={form} port={port} />
      <ReasonFields form={form} names={portReasonNames} />
      <RequestDifferences before={answers} after={form.values} donors={donors} />
      <p className="muted">{providerHoursLabel(port.looked_at_from, market)}</p>
      <FormErrors form={form} />
      <p>
        <SubmitButton form={form} pendingText="Sending">
          Send request {port.requests.length + 1}
        </SubmitButton>{' '}
        <DenseButton onClick={onClose}>Close</DenseButton>
      </p>
    </form>
  )
}

function RequestFields({ form, port }: { form: Form<CorrectionFormValues>; port: DeskPort }) {
  return (
    <>
      <TextField
        form={form}
        name="msisdn"
        label="Number to transfer"
        type="tel"
        autoComplete="off"
        allow={phoneCharacters}
        maxLength={20}
      />
      <SelectField
        form={form}
        name="provider"
        label="From"
        options={port.donors.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <ChoiceField
        form={form}
        name="billing_method"
        legend="Billing method with the old provider"
        row
        options={[
          { value: 'prepay', label: 'Prepay' },
          { value: 'account', label: 'On account' },
        ]}
      />
      <ProofField form={form} port={port} />
    </>
  )
}

function ProofField({ form, port: { decline, from } }: { form: Form<CorrectionFormValues>; port: DeskPort }) {
  const { phoneRegion } = useBootstrap().market
  const renderHint = (field: PortRequestField, usual: string): ReactNode =>
    decline?.field === field ? (
      <>
        <b className={s.fault}>Doesn’t match what {from} has on record.</b> <span>{usual}</span>
      </>
    ) : (
      usual
    )
  if (form.values.billing_method === 'account')
    return (
      <TextField
        form={form}
        name="account_number"
        label="Account number"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        allow={/[a-z0-9]/i}
        maxLength={20}
        hint={renderHint('account_number', 'Shown on the customer’s bill. Up to 20 letters and digits.')}
      />
    )
  return (
    <TextField
      form={form}
      name="prepaid_sim_number"
      label="Old SIM number"
      inputMode="numeric"
      autoComplete="off"
      allow={/\d/}
      maxLength={20}
      hint={renderHint(
        'prepaid_sim_number',
        `Printed on the SIM. 16 to 20 digits, starts with ${simSamples[phoneRegion].begins}. ${esimNumberSentence}`,
      )}
    />
  )
}

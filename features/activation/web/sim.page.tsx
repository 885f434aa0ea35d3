import { type ReactNode, useState } from 'react'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Badge, SimPackDrawing } from '#kit/web/drawings/SimPackDrawing.tsx'
import { ChoiceField } from '#kit/web/form/ChoiceField.tsx'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { CookiesNeeded } from '#kit/web/form/CookiesNeeded.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { PinInput } from '#kit/web/form/PinInput.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Link } from '#kit/web/Link.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { Card } from '#kit/web/widgets/Card.tsx'
import { phoneCharacters } from '#features/porting/porting.contract.ts'
import { SavedVoucherPlan } from '#features/vouchers/web/SavedVoucherPlan.tsx'
import { simStepPath } from '../activation.states.ts'
import { simStepSchemas, submitSim } from '../sim-step.contract.ts'
import { NextStepCost } from './NextStepCost.tsx'
import { newSimPath, simDraftKey, useStepSubmit } from './wizard.ts'
import { WizardFrame } from './WizardFrame.tsx'
import { WizardPage } from './WizardPage.tsx'
import * as s from './wizard.module.css'

export default function SimPage() {
  const { brand, market } = useBootstrap()
  const { path } = useRawLocation()
  // Remember the initial value, because during a navigation the URL changes before the page does.
  const [isNewActivation] = useState(path === newSimPath)
  const pageProps = {
    step: 'sim',
    title: isNewActivation ? 'Activate a new SIM' : 'Activate your SIM',
    intro: 'Have your SIM pack in front of you. It takes about five minutes.',
    aside: <SimPackDrawing brandName={brand.shortName} region={market.phoneRegion} />,
    asideNarrow: 'above',
    children: <SimStep isNew={isNewActivation} />,
  } as const
  return isNewActivation ? <WizardFrame {...pageProps} porting={false} /> : <WizardPage {...pageProps} />
}

const emptyAnswers: { msisdn: string; sim_serial: string; setup_porting: boolean | null } = {
  msisdn: '',
  sim_serial: '',
  setup_porting: null,
}

const portingChoices = [
  {
    value: true,
    label: 'Yes, Transfer (Port) Existing Number',
    description: 'Keep the number you have with another provider.',
  },
  { value: false, label: 'No, use the Phone Number on the SIM pack' },
]

function SimStep({ isNew }: { isNew: boolean }) {
  const { layout, market } = useBootstrap()
  const navigate = useNavigate()
  const submitStep = useStepSubmit(submitSim)
  const form = useForm({
    schema: simStepSchemas[market.phoneRegion],
    initial: emptyAnswers,
    draftKey: simDraftKey,
    submit: submitStep,
    // Do not navigate to a particular step. A payment may still be open, so the activation's state decides which page is shown.
    onSuccess: () => {
      if (isNew && location.pathname === newSimPath) navigate(simStepPath)
    },
  })
  return (
    <>
      <div className={s.voucher}>
        <SavedVoucherPlan />
      </div>
      <Card>
        <form {...form.props}>
          <CookiesNeeded form={form} />
          <FormErrors form={form} />
          <TextField
            form={form}
            name="msisdn"
            label={<NumberedLabel digit={1}>Phone Number on the SIM pack</NumberedLabel>}
            type="tel"
            autoComplete="off"
            allow={phoneCharacters}
          />
          <PinInput
            form={form}
            name="sim_serial"
            label={<NumberedLabel digit={2}>Last 4 digits of the SIM Number</NumberedLabel>}
            hint="At the end of the long number below the bar code"
          />
          <ChoiceField
            form={form}
            name="setup_porting"
            legend="Would you like to Transfer (Port) your Existing Phone Number?"
            options={portingChoices}
          />
          <NextStepCost>You won’t be charged until the last step, where you’ll see the price.</NextStepCost>
          <FormActions>
            <SubmitButton form={form} pendingText="CHECKING">
              START
            </SubmitButton>
          </FormActions>
        </form>
      </Card>
      <p className={s.beside}>
        Don’t have a SIM yet? <Link href={layout.order_sim_url}>Order a new SIM</Link>
      </p>
    </>
  )
}

function NumberedLabel({ digit, children }: { digit: 1 | 2; children: ReactNode }) {
  return (
    <span className={s.marked}>
      <Badge digit={digit} />
      {children}
    </span>
  )
}

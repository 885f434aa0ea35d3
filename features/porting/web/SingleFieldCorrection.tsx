import { type ReactNode, useId } from 'react'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { formatDay } from '#kit/contract/format-moment.ts'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Columns } from '#kit/web/widgets/Layout.tsx'
import { DonorProofField, type PortingValues } from './PortingForm.tsx'
import { PortingHelp } from './PortingHelp.tsx'
import * as s from './port.module.css'

type Props = {
  form: Form<PortingValues>
  donor: string
  /** ISO 8601 instant at which the transfer request was sent. */
  sentAt: string
  back: string
  onEdit: () => void
}

export function SingleFieldCorrection({ form, donor, sentAt, back, onEdit }: Props) {
  const { market, serverTime } = useBootstrap()
  const { msisdn, billing_method } = form.values
  return (
    <Columns aside={<PortingHelp billingMethod={billing_method} />}>
      <Card>
        <form {...form.props}>
          <h2>Correct this field</h2>
          <p className={s.rest}>
            Everything else is as you sent it on {formatDay(sentAt, { zone: market.zone, now: serverTime })}.
          </p>
          <FormErrors form={form} />
          <DonorProofField form={form} />
          <SubmittedField label="Existing Phone Number" onEdit={onEdit}>
            {msisdn}
          </SubmittedField>
          <SubmittedField label="Current provider" onEdit={onEdit}>
            {donor}, {billing_method}
          </SubmittedField>
          <FormActions back={back} backText="Cancel">
            <SubmitButton form={form} pendingText="SENDING">
              Port Number
            </SubmitButton>
          </FormActions>
        </form>
      </Card>
    </Columns>
  )
}

function SubmittedField({ label, onEdit, children }: { label: string; onEdit: () => void; children: ReactNode }) {
  const id = useId()
  return (
    <div className={s.sent}>
      <p id={id}>{label}</p>
      <div>
        <span>{children}</span>
        <button type="button" aria-describedby={id} onClick={onEdit}>
          Edit
        </button>
      </div>
    </div>
  )
}

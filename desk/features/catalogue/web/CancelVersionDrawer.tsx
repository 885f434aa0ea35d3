import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { ConsequenceList } from '#kit/web/desk/ConsequenceList.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { catalogueReasonNames } from '#desk/features/staff/reasons.contract.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { emptyReasonValues, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import { cancelVersion, cancelVersionBody, type DeskVersion } from '../catalogue.contract.ts'
import { timeLabel } from './catalogue.labels.ts'

type Props = { version: DeskVersion; onClose: () => void; onDone: (text: string) => void }

export function CancelVersionDrawer({ open, ...props }: Props & { open: boolean }) {
  return (
    <Drawer title={`Cancel version ${props.version.number}`} open={open} onClose={props.onClose}>
      {open && <CancelVersionForm {...props} />}
    </Drawer>
  )
}

function CancelVersionForm({ version: { number, from }, onClose, onDone }: Props) {
  const api = useApi()
  const { zone } = useBootstrap().market
  const form = useForm({
    schema: cancelVersionBody,
    initial: emptyReasonValues,
    submit: (body) => withFormErrors(api.call(cancelVersion, { params: { number: String(number) }, body })),
    onSuccess: () => onDone(`Version ${number} was cancelled.`),
  })
  return (
    <form {...form.props}>
      <ReasonFields form={form} names={catalogueReasonNames} />
      <ConsequenceList
        items={[
          `Nothing changes on ${timeLabel(from, zone)}`,
          'Customers who have already been told a new price will still pay that price',
        ]}
      />
      <FormErrors form={form} />
      <p>
        <SubmitButton form={form} pendingText="Cancelling">
          Cancel version
        </SubmitButton>{' '}
        <DenseButton onClick={onClose}>Close</DenseButton>
      </p>
    </form>
  )
}

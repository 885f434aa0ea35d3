import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { ConsequenceList } from '#kit/web/desk/ConsequenceList.tsx'
import { ChoiceField } from '#kit/web/form/ChoiceField.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { catalogueReasonNames } from '#desk/features/staff/reasons.contract.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { confirmWithPasskey } from '#desk/features/staff/web/me.passkey.ts'
import { emptyReasonValues, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import {
  requestPublication,
  type DraftPage,
  publicationActionName,
  publishDraft,
  publishDraftBody,
} from '../catalogue.contract.ts'

type Props = {
  shown: DraftPage
  onClose: () => void
  onAsked: (text: string) => void
  onPublished: (version: number) => void
}

export function PublishDrawer({ open, ...props }: Props & { open: boolean }) {
  return (
    <Drawer title={`Publish draft ${props.shown.draft.number}`} open={open} onClose={props.onClose}>
      {open && <PublishForm {...props} />}
    </Drawer>
  )
}

function PublishForm({ shown, onClose, onAsked, onPublished }: Props) {
  const api = useApi()
  const { zone } = useBootstrap().market
  const { draft, worse, better, next_month: nextMonth } = shown
  const needsApproval = worse.length > 0 || better.length > 0
  const params = { number: String(draft.number) }
  const form = useForm({
    schema: publishDraftBody,
    initial: { hash: draft.hash, when: 'then' as 'now' | 'then', at: nextMonth, ...emptyReasonValues },
    submit: (body) => withFormErrors(needsApproval ? requestApproval(body) : publish(body)),
    onSuccess: (version) =>
      version === null ? onAsked('Request sent. You’ll see the result on the Today page.') : onPublished(version),
  })

  type PublicationInput = { hash: string; when: string; at: string }
  const confirmPublication = (action: 'publish' | 'ask', input: PublicationInput) =>
    confirmWithPasskey(api, publicationActionName(action, { ...input, number: draft.number }))
  async function publish(input: PublicationInput): Promise<number | null> {
    const answer = await confirmPublication('publish', input)
    return (await api.call(publishDraft, { params, body: { ...input, answer } })).data.version
  }
  async function requestApproval(input: PublicationInput): Promise<number | null> {
    const answer = await confirmPublication('ask', input)
    await api.call(requestPublication, { params, body: { ...input, answer } })
    return null
  }
  return (
    <form {...form.props}>
      <ChoiceField
        form={form}
        name="when"
        legend="Publish"
        options={[
          { value: 'then', label: 'At a set date and time' },
          { value: 'now', label: needsApproval ? 'As soon as it is approved' : 'Now' },
        ]}
      />
      {form.values.when === 'then' && (
        <TextField form={form} name="at" label="Date and time" type="datetime-local" hint={`Time zone: ${zone}.`} />
      )}
      <ReasonFields form={form} names={catalogueReasonNames} />
      <ConsequenceList items={listConsequences(shown)} />
      <FormErrors form={form} />
      <p>
        <SubmitButton form={form} pendingText={needsApproval ? 'Sending the request' : 'Publishing'}>
          {needsApproval ? 'Request approval' : 'Publish'}
        </SubmitButton>{' '}
        <DenseButton onClick={onClose}>Close</DenseButton>
      </p>
    </form>
  )
}

function listConsequences({ worse, better, changes, deciders }: DraftPage): string[] {
  const announcedPriceCount = changes.reduce((sum, { after }) => sum + after.told, 0)
  const approverNames = deciders.length > 0 ? deciders.join(' or ') : 'nobody right now'
  return [
    'You’ll be asked to confirm with your passkey',
    ...(worse.length + better.length > 0 ? [`Needs approval within 24 hours. Who can approve: ${approverNames}`] : []),
    `${changes.length} ${changes.length === 1 ? 'product changes' : 'products change'} for all customers at that time`,
    ...(announcedPriceCount > 0 ? [announcedPriceNote(announcedPriceCount)] : []),
  ]
}

const announcedPriceNote = (count: number): string =>
  `${count} ${count === 1 ? 'customer has' : 'customers have'} already been told a price and will pay that price`

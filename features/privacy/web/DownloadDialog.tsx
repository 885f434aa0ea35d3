import { useApi } from '#kit/web/api.tsx'
import { ChoiceField } from '#kit/web/form/ChoiceField.tsx'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { PasswordField } from '#kit/web/form/PasswordField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Dialog } from '#kit/web/widgets/Dialog.tsx'
import { useUser } from '#features/auth/web/use-user.ts'
import { requestData, dataRequestSchema, type DataExportFormat } from '../privacy.contract.ts'

type Props = { onClose: () => void; onBegin: () => void }

export function DownloadDialog({ open, ...props }: Props & { open: boolean }) {
  return (
    <Dialog title="Download your data" open={open} onClose={props.onClose}>
      <DownloadForm {...props} />
    </Dialog>
  )
}

function DownloadForm({ onClose, onBegin }: Props) {
  const api = useApi()
  const user = useUser()
  const form = useForm({
    schema: dataRequestSchema,
    initial: { password: '', format: 'html' as DataExportFormat },
    submit: (body) => api.call(requestData, { body }),
    onSuccess({ data: { url } }): void {
      // The response is a file download, so the browser stays on this page.
      location.assign(url)
      onBegin()
    },
  })
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <ChoiceField
        form={form}
        name="format"
        legend="Which format would you like?"
        options={[
          { value: 'html', label: 'A web page', description: 'Opens in any browser and can be printed' },
          { value: 'json', label: 'A data file', description: 'JSON, for use in other software' },
        ]}
      />
      {/* Tells password managers which account the password belongs to. */}
      <input type="text" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      <PasswordField form={form} name="password" label="Current password" />
      <FormActions back={onClose} backText="Cancel">
        <SubmitButton form={form} pendingText="CHECKING">
          DOWNLOAD
        </SubmitButton>
      </FormActions>
    </form>
  )
}

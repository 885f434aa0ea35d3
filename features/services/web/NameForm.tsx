import { useApi } from '#kit/web/api.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { saveNumberName, numberNameSchema, ownNumberMessages } from '../own-number.contract.ts'
import type { Service } from '../services.contract.ts'
import { updateCachedService } from './services.queries.ts'

export function NameForm({ service: { uuid, name } }: { service: Service }) {
  const api = useApi()
  const client = useQueryClient()
  const form = useForm({
    schema: numberNameSchema,
    initial: { name: name ?? '' },
    async submit(values) {
      const { data } = await api.call(saveNumberName, { params: { uuid }, body: values })
      updateCachedService(client, uuid, { name: data.name })
    },
  })
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <TextField
        form={form}
        name="name"
        label="Name for this number"
        optional
        autoComplete="off"
        hint="For example, Mum’s tablet. Only you can see it."
      />
      <div role="status">{form.status === 'success' && <Banner kind="good">{ownNumberMessages.saved}</Banner>}</div>
      <SubmitButton form={form} pendingText="SAVING">
        SAVE
      </SubmitButton>
    </form>
  )
}

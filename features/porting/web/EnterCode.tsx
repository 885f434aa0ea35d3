import { ApiError } from '#kit/contract/errors.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { useApi } from '#kit/web/api.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { PinInput } from '#kit/web/form/PinInput.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import type { PortingProgress, PortingRequestView } from '#features/services/services.contract.ts'
import { reloadServices } from '#features/services/web/services.queries.ts'
import { codeLength, enterPortCode, portCodeMessages, portCodeSchema } from '../port-code.contract.ts'
import { ReplyPrompt } from './ReplyPrompt.tsx'
import * as s from './transfer.module.css'

type Props = { uuid: string; port: PortingRequestView; progress: PortingProgress }

export default function EnterCode({ uuid, port, progress }: Props) {
  return (
    <ReplyPrompt port={port} progress={progress}>
      <p className={s.asks}>
        Look for a text with a code to <span className={s.whole}>{formatNational(port.msisdn)}</span>, on your old{' '}
        {port.donor} SIM. The code proves that the number is yours. Don’t share it: we never ask for it by phone.
      </p>
      <CodeForm uuid={uuid} />
    </ReplyPrompt>
  )
}

function CodeForm({ uuid }: { uuid: string }) {
  const api = useApi()
  const client = useQueryClient()
  const form = useForm({
    schema: portCodeSchema,
    initial: { code: '' },
    async submit(body) {
      const { status } = await api.call(enterPortCode, { params: { uuid }, body })
      if (status === 202) throw new ApiError(400, { __all__: [portCodeMessages.noAnswer] })
    },
    onSuccess: () => reloadServices(api, client),
  })
  return (
    <form {...form.props} className={s.code}>
      <FormErrors form={form} />
      <PinInput
        form={form}
        name="code"
        label="Code from the text"
        length={codeLength.most}
        autoComplete="one-time-code"
        enterKeyHint="done"
      />
      <SubmitButton form={form} pendingText="Checking" wide>
        Confirm the transfer
      </SubmitButton>
    </form>
  )
}

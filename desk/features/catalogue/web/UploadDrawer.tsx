import { type FormEvent, useRef } from 'react'
import { ApiError, toFormErrors, getErrorEntryMessage } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { catalogueMessages, maxFileLength, createDraft, replaceDraft } from '../catalogue.contract.ts'
import { FaultList } from './FaultList.tsx'
import * as s from './catalogue.module.css'

type Props = {
  /** The draft to replace, as the reader saw it. If omitted, the uploaded file becomes a new draft. */
  draft?: { number: number; hash: string }
  open: boolean
  onClose: () => void
  onDone: (number: number) => void
}

export function UploadDrawer({ draft, open, onClose, onDone }: Props) {
  return (
    <Drawer title={draft ? `Replace the file of draft ${draft.number}` : 'New draft'} open={open} onClose={onClose}>
      {open && <UploadForm {...(draft && { draft })} onClose={onClose} onDone={onDone} />}
    </Drawer>
  )
}

function UploadForm({ draft, onClose, onDone }: Omit<Props, 'open'>) {
  const api = useApi()
  const field = useRef<HTMLInputElement>(null)
  const upload = useMutation({ mutationFn: () => withFormErrors(sendFile()), onSuccess: onDone })

  async function sendFile(): Promise<number> {
    const body = await readFile(field.current?.files?.[0])
    if (!draft) return (await api.call(createDraft, { body })).data.number
    const { number, hash } = draft
    await api.call(replaceDraft, { params: { number: String(number) }, body: { hash, ...body } })
    return number
  }
  function submitUpload(event: FormEvent) {
    event.preventDefault()
    if (!upload.isPending) void upload.mutate()
  }
  const faults = upload.error ? (toFormErrors(upload.error)['text'] ?? []).map(getErrorEntryMessage) : []
  return (
    <form onSubmit={submitUpload} aria-label="Upload a file">
      <p className="muted">
        Download the current version, change prices and plans in it, and choose the file here. We’ll check it and save
        it as a draft. Nothing goes on sale until you publish it.
      </p>
      <label className={s.file}>
        <span>Catalogue file (JSON, up to 1 MB)</span>
        <input ref={field} type="file" accept=".json,application/json" />
      </label>
      <div role="alert">
        {faults.length > 0 && (
          <FaultList title="The file was not saved. Correct these faults and choose the file again." faults={faults} />
        )}
      </div>
      {faults.length === 0 && <ErrorBanner error={upload.error} />}
      <p className={s.acts}>
        <DenseButton type="submit" kind="primary" aria-busy={upload.isPending || undefined}>
          {upload.isPending ? 'Checking' : 'Check and save'}
        </DenseButton>
        <DenseButton onClick={onClose}>Close</DenseButton>
      </p>
    </form>
  )
}

/** Reads the chosen file. @throws ApiError with a message for the form */
async function readFile(file: File | undefined): Promise<{ name: string; text: string }> {
  if (!file) throw new ApiError(400, { __all__: [catalogueMessages.noFile] })
  if (file.size > maxFileLength) throw new ApiError(400, { __all__: [catalogueMessages.tooLarge] })
  return { name: file.name.slice(-200), text: await file.text() }
}

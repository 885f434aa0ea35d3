import { useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { fetchFile, saveFile } from '#kit/web/desk/file-transfer.ts'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { retryWithPasskey } from '#desk/features/staff/web/me.passkey.ts'
import { type Batch, batchMessages, confirmCodesReceived, downloadCodes } from '../batches.contract.ts'
import { pluralize } from './count.labels.ts'
import * as s from './stock.module.css'

const countLines = async (file: Blob): Promise<number> => (await file.text()).split('\n').length - 1

type Props = { batch: Batch; onTaken: () => void; onGood: (text: string) => void }

/**
 * Lets whoever requested a batch download its codes once, and confirm that the file has arrived. No code is valid until
 * then. The codes exist only in this page.
 */
export function DownloadCodes({ batch: { id, count, state }, onTaken, onGood }: Props) {
  const api = useApi()
  const [codes, setCodes] = useState<Blob | null>(null)
  const fileName = `vouchers-${id}.txt`
  const downloadMutation = useMutation({
    async mutationFn() {
      const file = await withFormErrors(retryWithPasskey(api, () => fetchFile(downloadCodes, { id })))
      if ((await countLines(file)) !== count) throw new ApiError(400, { __all__: [batchMessages.givenUp] })
      return file
    },
    onSuccess(file) {
      setCodes(file)
      saveFile(fileName, file)
      onTaken()
    },
  })
  const confirmMutation = useMutation({
    mutationFn: () => withFormErrors(api.call(confirmCodesReceived, { params: { id }, body: { count } })),
    onSuccess() {
      setCodes(null)
      onGood(`${pluralize(count, 'voucher is', 'vouchers are')} now valid.`)
    },
  })
  if (state !== 'approved' && codes === null) return null
  return (
    <Panel title="Voucher codes" note="download once">
      <ErrorBanner error={downloadMutation.error ?? confirmMutation.error} />
      {codes === null ? (
        <>
          <p>You can download the codes once, as a file. Anyone with the file can use the vouchers, so keep it safe.</p>
          <DenseButton
            kind="primary"
            icon="download"
            aria-busy={downloadMutation.isPending || undefined}
            onClick={() => downloadMutation.isPending || void downloadMutation.mutate()}
          >
            Download the codes
          </DenseButton>
        </>
      ) : (
        <>
          <p role="status">
            <b>{fileName}</b> has {pluralize(count, 'code', 'codes')}. Check that it is in your downloads and confirm
            within two minutes. Otherwise the codes never become valid. They are gone when you leave this page.
          </p>
          <div className={s.acts}>
            <DenseButton onClick={() => saveFile(fileName, codes)}>Save again</DenseButton>
            <DenseButton
              kind="primary"
              aria-busy={confirmMutation.isPending || undefined}
              onClick={() => confirmMutation.isPending || void confirmMutation.mutate()}
            >
              I have the file
            </DenseButton>
          </div>
        </>
      )}
    </Panel>
  )
}

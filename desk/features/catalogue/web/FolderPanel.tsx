import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { type DeskCatalogue, createDraftFromFolder } from '../catalogue.contract.ts'
import { FaultList } from './FaultList.tsx'

type Props = { folder: DeskCatalogue['folder']; isAdmin: boolean; onDraft: (number: number) => void }

export function FolderPanel({ folder: { faults, changes }, isAdmin, onDraft }: Props) {
  const api = useApi()
  const make = useMutation({
    mutationFn: () => withFormErrors(api.call(createDraftFromFolder, {})),
    onSuccess: ({ data }) => onDraft(data.number),
  })
  return (
    <Panel
      title="The provider’s catalogue folder"
      action={
        isAdmin &&
        faults.length === 0 &&
        changes > 0 && (
          <DenseButton
            small
            aria-busy={make.isPending || undefined}
            onClick={() => make.isPending || void make.mutate()}
          >
            Make a draft from the folder
          </DenseButton>
        )
      }
    >
      {faults.length > 0 ? (
        <FaultList title="The folder’s catalogue has faults and can’t be used." faults={faults} />
      ) : (
        <p>
          {changes === 0
            ? 'The folder’s catalogue is the same as the one on sale.'
            : `The folder’s catalogue has no faults. It would change ${changes} ${changes === 1 ? 'product' : 'products'}.`}
        </p>
      )}
      <ErrorBanner error={make.error} />
    </Panel>
  )
}

export function EmailAddress({ of }: { of: string }) {
  const at = Math.max(0, of.lastIndexOf('@'))
  return (
    <b translate="no">
      {of.slice(0, at)}
      <wbr />
      {of.slice(at)}
    </b>
  )
}

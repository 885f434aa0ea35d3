import type { ReactNode } from 'react'

export const DownloadLink = ({ number, children }: { number: number; children: ReactNode }) => (
  <a href={`/api/desk/catalogue/versions/${number}/file/`} download={`catalogue-${number}.json`}>
    {children}
  </a>
)

import { DeskNotFound } from '#kit/web/desk/DeskNotFound.tsx'

export default function NotFoundPage() {
  return <DeskNotFound />
}

import { deskCatalogue } from './desk-catalogue.ts'
import { showDesk } from './desk-show.ts'

showDesk('desk-day', deskCatalogue['desk-day'])

// Written by `npm run texts`.
declare const messages: {
  "title": "Labels",
  "intro": "Sort your contacts by status, source and group.",
  "kinds": {
    "statuses": {
      "title": "Statuses",
      "intro": "How far a contact has come, such as lead, customer or lost. Each contact has one.",
      "empty": "Add your first status, such as “Lead”.",
      "add": "Add status",
      "edit": "Edit status"
    },
    "sources": {
      "title": "Sources",
      "intro": "Where a contact came from, such as a fair, the shop or an advert. Each contact has one.",
      "empty": "Add your first source, such as “Web shop”.",
      "add": "Add source",
      "edit": "Edit source"
    },
    "groups": {
      "title": "Groups",
      "intro": "Contacts that belong together, such as regulars, newsletter or wholesale. Each contact can have several.",
      "empty": "Add your first group, such as “Newsletter”.",
      "add": "Add group",
      "edit": "Edit group"
    }
  },
  "name": "Name",
  "color": "Colour",
  "description": "Description",
  "created": "“{name}” added.",
  "saved": "“{name}” saved.",
  "deleteTitle": "Delete “{name}”?",
  "deleteText": "It is removed from all contacts. The contacts themselves stay. This cannot be undone.",
  "deleted": "Label deleted.",
  "showContacts": "Show contacts",
  "colorNamed": "Colour {color}"
};
export = messages;

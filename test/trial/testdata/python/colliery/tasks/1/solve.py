from datetime import timedelta

from colliery import CallConfig
from colliery.errors import FaceCutterBusyError, FaceCutterStaleError
from colliery.types import ModifyFaceCutterInput


def cool(client, id, revision):
    try:
        client.modify_face_cutter(ModifyFaceCutterInput(id=id, revision=revision, tons=12, lasting=timedelta(minutes=45)), CallConfig(attempts=1))
    except FaceCutterBusyError as error:
        return {"holder": error.holder}
    except FaceCutterStaleError as error:
        return {"newest": error.newest}
    return {"ok": True}
